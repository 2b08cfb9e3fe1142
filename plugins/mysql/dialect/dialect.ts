import { type Dialect, fromDatabaseError } from '../../../core/doors/driver.ts'

/** Placeholder of the dialect, which helper h11 writes. */
export const MYSQL = {
  name: 'mysql',
  placeholder: (number: number) => `?${number}`,
  errors: { read: fromDatabaseError, isTransient: () => false, isRaised: () => false },
} as unknown as Dialect
