/** An operation, type or field, with the rights that it requires. */
interface Guarded {
  readonly requires_scope?: string
  readonly requires_role?: string | readonly string[]
}

/** The characters of a scope (RFC 6749, 3.3). */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/

/** @returns faults of required scopes and roles: those that no caller can have, and those that every caller has */
export function rightProblems({ requires_scope: scope, requires_role: role = [] }: Guarded): readonly string[] {
  const problems: string[] = []
  if (scope !== undefined) {
    const scopes = scope.split(' ').filter((one) => one !== '')
    if (scopes.length === 0) problems.push('requires_scope names no scope. Write one, such as "read:email".')
    for (const one of scopes) {
      if (SCOPE.test(one)) continue
      problems.push(
        `requires_scope: ${JSON.stringify(one)} is no scope: visible ASCII characters without quotes and backslashes.`,
      )
    }
  }
  for (const one of [role].flat()) {
    if (one.trim() === one && one !== '') continue
    problems.push(
      `requires_role: ${JSON.stringify(one)} has spaces at its ends, and roles are compared to the letter. Take them out.`,
    )
  }
  return problems
}
