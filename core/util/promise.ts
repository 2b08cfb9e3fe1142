/** Tests whether a value is a promise. Hooks and the engine stay synchronous until the first promise. */
export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
}
