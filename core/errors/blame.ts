/** Which plugin's hook an error came from. Kept apart from the error, so that an exposed SvcError stays as it is. */
const culprits = new WeakMap<object, string>()

/**
 * Notes that a plugin raised this error; the first note stays.
 * @returns the error to throw on: the same one, or an Error around a thrown value that is no object
 */
export function blame(error: unknown, plugin: string): unknown {
  const thrown =
    typeof error === 'object' && error !== null
      ? error
      : new Error(`Plugin "${plugin}" threw a value that is no error`, { cause: error })
  if (!culprits.has(thrown)) culprits.set(thrown, plugin)
  return thrown
}

/** The plugin that raised the error, or one of its causes. `null` = not a plugin's. For the log. */
export function pluginOf(error: unknown): string | null {
  const seen = new Set<unknown>()
  for (let e = error; typeof e === 'object' && e !== null && !seen.has(e); e = (e as { cause?: unknown }).cause) {
    const plugin = culprits.get(e)
    if (plugin !== undefined) return plugin
    seen.add(e)
  }
  return null
}
