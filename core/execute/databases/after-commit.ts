import type { Operation } from '../../contract/operation.ts'
import { SvcError } from '../../errors/svc-error.ts'
import type { Hop } from './operation-part.ts'
import type { HopAnswer } from './read-related.ts'

/** Has the operation written, for good, when what its relations lead to is read? */
export function isCommitted({ template, write }: Operation): boolean {
  return template.kind === 'mutation' && write?.dryRun !== true
}

/** A hop that failed as a whole, a deadline and all: the fields fail, the write does not. */
export function lostHop({ links }: Hop, error: unknown): HopAnswer {
  const failure =
    error instanceof SvcError
      ? error
      : new SvcError('INTERNAL_SERVER_ERROR', 'What was written could not be read.', { cause: error })
  const { code, message, details, status, cause } = failure
  return {
    links: new Map(links.map((link) => [link, { indexes: new Map(), texts: null }])),
    errors: links.map(({ key, relation: { location } }) => {
      const locations = location === null ? undefined : [location]
      return new SvcError(code, message, { details, status, cause, path: [key], locations })
    }),
  }
}
