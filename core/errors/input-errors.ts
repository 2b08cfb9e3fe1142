import { SvcError } from './svc-error.ts'

/** One value that breaks a rule. */
export interface InputProblem {
  /** The text of the rule. */
  readonly message: string
  /** From the response key of the root to the value, by names on the wire. */
  readonly path: readonly (string | number)[]
  /** The same as one text, from the argument on: `input.items[0].sku`. */
  readonly field: string
  /** Which rule, and what it wants. */
  readonly context: Readonly<Record<string, unknown>>
  readonly locations?: SvcError['locations']
}

/**
 * What a client sent breaks rules of the schema (spec "GraphQL errors", "REST errors"): VALIDATION_ERROR. As one error it
 * has `details.fields`, `{ field, reason }` each, and status 422; a front that shows several takes `errors`, each with
 * its `path` and `details: { path, context }`.
 */
export class InputErrors extends SvcError {
  readonly errors: readonly SvcError[]

  /** @param problems at least one */
  constructor(problems: readonly InputProblem[]) {
    const fields = problems.map(({ field, message }) => ({ field, reason: message }))
    super('VALIDATION_ERROR', problems.map(({ message }) => message).join('; '), { details: { fields }, status: 422 })
    this.errors = problems.map(
      ({ message, path, field, context, locations }) =>
        new SvcError('VALIDATION_ERROR', message, { path, locations, details: { path: field, context } }),
    )
  }
}
