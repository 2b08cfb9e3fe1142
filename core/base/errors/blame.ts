/** Plugin that raised an error. Stored outside the error, so that an exposed SvcError is not changed. */
const culprits = new WeakMap<object, string>()

/**
 * Records which plugin's code threw an error, for the log. Only the first call for an error has an effect.
 * @returns the error to rethrow: the same object, or an Error that wraps a thrown primitive value
 */
export function blame(error: unknown, plugin: string): unknown {
  const thrown =
    typeof error === 'object' && error !== null
      ? error
      : new Error(`Plugin "${plugin}" threw a value that is no error`, { cause: error })
  if (!culprits.has(thrown)) culprits.set(thrown, plugin)
  return thrown
}

/**
 * Returns the name of the plugin that {@link blame} recorded for an error or one of its causes, for the log; `null`:
 * none.
 */
export function pluginOf(error: unknown): string | null {
  const seen = new Set<unknown>()
  for (let e = error; typeof e === 'object' && e !== null && !seen.has(e); e = (e as { cause?: unknown }).cause) {
    const plugin = culprits.get(e)
    if (plugin !== undefined) return plugin
    seen.add(e)
  }
  return null
}
