import { SvcError } from './svc-error.ts'

/** A violation of one validation rule by one input value of a client. */
export interface InputProblem {
  /** Message of the violated rule, for the client: the author's own text, or the default one. */
  readonly message: string
  /**
   * Path from the root field to the value: the root's response key, the argument, then fields by the names that clients
   * use.
   */
  readonly path: readonly (string | number)[]
  /** Path of the value as text, beginning with the argument: `input.items[0].sku`. */
  readonly field: string
  /** Name and parameters of the violated rule: `{ rule: 'length', min: 2, max: 40 }`. */
  readonly context: Readonly<Record<string, unknown>>
  readonly locations?: SvcError['locations']
}

/**
 * VALIDATION_ERROR for input that violates validation rules. As a single error it has status 422 and `details.fields`,
 * a list of `{ field, reason }`. A protocol with several errors per response (GraphQL) sends `errors` instead, each
 * with its `path` and `details: { path, context }` (docs/guides/validate-input.md#order-and-what-the-client-sees).
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
