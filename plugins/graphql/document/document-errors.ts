import type { GraphQLError } from 'graphql'
import { SvcError } from '../../../core/index.ts'

/** Several failures of one request: GraphQL reports all that it finds. */
export class DocumentErrors extends Error {
  readonly errors: readonly SvcError[]

  constructor(errors: readonly SvcError[]) {
    super(errors.map((error) => error.message).join('\n'))
    this.errors = errors
  }
}

export function fromGraphQLError(code: string, error: GraphQLError, message = error.message): SvcError {
  return new SvcError(code, message, {
    locations: error.locations?.map(({ line, column }) => ({ line, column })),
    cause: error.originalError,
  })
}
