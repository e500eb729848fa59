/** Why a backup cannot be made or restored, and what to do about it. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly fix: string;
  constructor(message: string, fix: string, options?: ErrorOptions) {
    super(message, options);
    this.fix = fix;
  }
}
