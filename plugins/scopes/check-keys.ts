import { defineKeyCheck } from '../../core/doors/command.ts'

/** An operation, type or field, with the rights that it requires. */
interface Guarded {
  readonly requires_scope?: string
  readonly requires_role?: string | readonly string[]
}

/** The characters of a scope (RFC 6749, 3.3). */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/

/**
 * Compile check of `requires_scope` and `requires_role` in `schema.json`: the values are well formed, and no public
 * operation has one.
 */
export default defineKeyCheck(({ schema, fault }) => {
  for (const [kind, operations] of [
    ['Query', schema.queries],
    ['Mutation', schema.mutations],
    ['Subscription', schema.subscriptions],
  ] as const) {
    for (const operation of operations ?? []) {
      const label = `${kind} "${operation.name}"`
      for (const option of ['requires_role', 'requires_scope'] as const) {
        if (operation.public !== true || operation[option] === undefined) continue
        fault(
          'access',
          `${label} is public and has ${option}, which requires a credential. Drop one of them.`,
          operation,
        )
      }
      for (const problem of rightProblems(operation)) fault('access', `${label}: ${problem}`, operation)
    }
  }
  for (const owner of [...(schema.types ?? []), ...(schema.interfaces ?? [])]) {
    for (const field of owner.fields) {
      for (const problem of rightProblems(field)) {
        fault('field-option', `${owner.name}.${field.name}: ${problem}`, field, owner)
      }
    }
  }
  for (const type of schema.types ?? []) {
    for (const problem of rightProblems(type)) fault('access', `Type "${type.name}": ${problem}`, type)
  }
})

/** @returns faults of required scopes and roles: those that no caller can have, and those that every caller has */
function rightProblems({ requires_scope: scope, requires_role: role = [] }: Guarded): readonly string[] {
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
