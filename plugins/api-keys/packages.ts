import type { OptionalPackages } from '../../core/doors/plugin.ts'

/** The library of argon2, which svc does not install. */
export const ARGON2_PACKAGE: OptionalPackages = {
  names: ['@node-rs/argon2'],
  for: 'keys with argon2',
  when: { option: 'hash_algorithm', is: 'argon2' },
}
