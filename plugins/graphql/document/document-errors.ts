import type { GraphQLError } from 'graphql'
import { shorten } from '../../../core/doors/front.ts'
import { SvcError } from '../../../core/doors/plugin.ts'

/** Several failures of one request: GraphQL reports all that it finds. */
export class DocumentErrors extends Error {
  readonly errors: readonly SvcError[]

  constructor(errors: readonly SvcError[]) {
    super(errors.map((error) => error.message).join('\n'))
    this.errors = errors
  }
}

/** After so many errors nobody reads on. */
export const MOST_ERRORS = 100
/** Names in a message are the client's: one that many errors are about would come back in each. */
const MOST_CHARACTERS = 1000
/** Most locations of one error: a name that is there a thousand times has a thousand. */
const MOST_LOCATIONS = 20

export function fromGraphQLError(code: string, error: GraphQLError, message = error.message): SvcError {
  return new SvcError(code, shorten(message, MOST_CHARACTERS), {
    locations: error.locations?.slice(0, MOST_LOCATIONS).map(({ line, column }) => ({ line, column })),
    cause: error.originalError,
  })
}
