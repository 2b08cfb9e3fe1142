/**
 * A value, or a promise of it. A function that returns this type returns the value itself when it has nothing to wait
 * for.
 */
export type MaybePromise<T> = T | Promise<T>

/**
 * Tests whether a value is a promise. Callers use a plain value at once and wait only for a promise, because each
 * `await` costs time.
 */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
}
