import { Link, type LinkProps } from 'wouter';
import classes from './block-link.module.css';

/** A link of which the whole block is a target, such as a line of a list. */
export function BlockLink({ className, ...props }: LinkProps & { readonly className?: string | undefined }) {
  return <Link {...props} className={`${classes.link} ${className ?? ''}`} />;
}
