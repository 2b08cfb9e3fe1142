/** A value, or a promise of it. Synchronous functions return the value without a promise. */
export type MaybePromise<T> = T | Promise<T>

/** Tests for a promise, so that a chain of calls stays synchronous until the first promise. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
}
