const FAILURES: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk fails',
  EBUSY: 'a part of it is mounted there, or in use',
  EXDEV: 'a part of it is on another file system, as in a layer of a container',
  EFBIG: 'the file system takes no file of that size',
  EMFILE:
    'this process may open no more files: raise its limit, as by `ulimit -n 65536` or LimitNOFILE of systemd',
  ENFILE: 'this machine may open no more files: raise its limit, as by `sysctl fs.file-max`',
  ENOENT: 'a part of its path is not there, or a link to nothing, or takes no folders',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'there is a file of that name, not a folder',
  EISDIR: 'there is a folder of that name',
  ENAMETOOLONG: 'its name is too long',
  EINVAL: 'its name has characters that the system takes in none',
};

/** What the system has against a file or folder, in words; undefined where the error is none of the system's. */
export function whyUnwritable(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? FAILURES[String(error.code)] : undefined;
}

/** Why something could not be written to an open file or pipe, in words. */
export function whyUnwritten(error: NodeJS.ErrnoException): string {
  if (error.code === 'EPIPE') return 'nobody reads it';
  return whyUnwritable(error) ?? error.code ?? error.message;
}
