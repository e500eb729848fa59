import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';
import { ForgotPasswordPage } from './forgot-password-page.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';
import { SignInPage } from './sign-in-page.tsx';
import { SignUpPage } from './sign-up-page.tsx';

export const signInPage: PageEntry = { path: PATHS.signIn, component: SignInPage };
export const signUpPage: PageEntry = { path: PATHS.signUp, component: SignUpPage };
export const forgotPasswordPage: PageEntry = { path: PATHS.forgotPassword, component: ForgotPasswordPage };
/** The service's mails link to this page. */
export const resetPasswordPage: PageEntry = { path: '/reset-password', component: ResetPasswordPage };
