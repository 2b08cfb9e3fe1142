import type { OptionalPackages } from '../../../core/doors/plugin.ts'

/** The client of mail servers, which svc does not install. */
export const MAIL_PACKAGE: OptionalPackages = {
  names: ['nodemailer'],
  for: 'email actions by smtp_host',
  when: { option: 'smtp_host' },
}
