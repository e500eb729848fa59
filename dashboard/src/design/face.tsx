import Avatar from 'boring-avatars';
import classes from './face.module.css';

const SKINS = ['#6957da', '#f2b872', '#2f8f83', '#e2725b', '#3d6fb6', '#f0dcc0', '#8c5fa8', '#a7c4a0'];

/** Draws the face of an agent. The same id always gives the same face. */
export function Face({ id, size = 40 }: { id: string; size?: number }) {
  return (
    <span className={classes.face} style={{ width: size, height: size }} aria-hidden="true">
      <Avatar name={id} variant="beam" size={size} colors={SKINS} />
    </span>
  );
}
