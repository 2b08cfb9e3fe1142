/** A value, or a promise of it: what is synchronous stays so. */
export type MaybePromise<T> = T | Promise<T>

/** Is the value a promise? Chains stay synchronous until the first one that is. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
}
