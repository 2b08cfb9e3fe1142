import { SvcError } from '../../../base/errors/svc-error.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { Hop } from './operation-part.ts'
import type { HopAnswer } from './read-related.ts'

/** Tests whether the writes of an operation are committed before its relations into other databases are read. */
export function isCommitted({ template, write }: Operation): boolean {
  return template.kind === 'mutation' && write?.dryRun !== true
}

/** Converts the failure of a hop after COMMIT, also a deadline, into errors of its fields. The write itself stands. */
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
