import { SvcError } from './svc-error.ts'

/** A value from a client that violates a validation rule. */
export interface InputProblem {
  /** Message of the rule. */
  readonly message: string
  /** Path from the response key of the root to the value, in wire names. */
  readonly path: readonly (string | number)[]
  /** The path as text, from the argument on: `input.items[0].sku`. */
  readonly field: string
  /** Type and parameters of the rule: `{ rule: 'length', min: 2, max: 40 }`. */
  readonly context: Readonly<Record<string, unknown>>
  readonly locations?: SvcError['locations']
}

/**
 * VALIDATION_ERROR for input that violates validation rules. As a single error it has status 422 and `details.fields`, a list of
 * `{ field, reason }`. A front that shows several errors uses `errors`, each with its `path` and `details: { path, context }`
 * (docs/guides/validate-input.md#order-and-what-the-client-sees).
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
