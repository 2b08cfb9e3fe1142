const TAG = /^[A-Za-z0-9_/-]{1,128}$/

/**
 * Checks the values of `tags`, which become `@tag` directives.
 * @returns the problem as a sentence; `null`: all are valid
 */
export function tagProblem(tags: readonly string[] | undefined): string | null {
  const wrong = tags?.find((tag) => !TAG.test(tag))
  return wrong === undefined ? null : `"${wrong}" is no tag: letters, digits, "_", "-" and "/", at most 128.`
}
