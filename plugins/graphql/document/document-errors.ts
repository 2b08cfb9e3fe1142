import type { GraphQLError } from 'graphql'
import { shorten } from '../../../core/doors/front.ts'
import { SvcError } from '../../../core/doors/plugin.ts'

/** All errors of one GraphQL request, which `errors` of the response reports together. */
export class DocumentErrors extends Error {
  readonly errors: readonly SvcError[]

  constructor(errors: readonly SvcError[]) {
    super(errors.map((error) => error.message).join('\n'))
    this.errors = errors
  }
}

/** Maximum number of validation errors that a response reports for one document. */
export const MOST_ERRORS = 100
/** Maximum length of a message. It can contain names of the client, and a long name could appear in many errors. */
const MOST_CHARACTERS = 1000
/** Maximum number of locations of an error. */
const MOST_LOCATIONS = 20

export function fromGraphQLError(code: string, error: GraphQLError, message = error.message): SvcError {
  return new SvcError(code, shorten(message, MOST_CHARACTERS), {
    locations: error.locations?.slice(0, MOST_LOCATIONS).map(({ line, column }) => ({ line, column })),
    cause: error.originalError,
  })
}
