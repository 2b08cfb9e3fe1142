import { defineDoctorCheck, ok, skipped, warning } from '../../core/doors/command.ts'
import type { CachingOptions } from './options.ts'

const NAME = 'cache'

/**
 * Check of `svc doctor`: warns if the response cache is enabled but no query is cached, otherwise lists the cached
 * queries.
 */
export default defineDoctorCheck<CachingOptions>(async ({ options, schema }) => {
  if (schema === null) return [skipped(NAME, 'there is no schema')]
  const kept = schema.queries.filter(
    ({ cache, cache_ttl: ttl }) => cache !== false && (cache === true || (ttl ?? 0) > 0),
  )
  if (kept.length === 0) {
    return [
      warning(
        NAME,
        'No query of the schema has a cache_ttl, or cache = true: nothing is kept. Give it to one, or take [svc.caching] out.',
      ),
    ]
  }
  const names = kept
    .slice(0, 3)
    .map(({ name }) => name)
    .join(', ')
  const many = kept.length > 3 ? ` and ${kept.length - 3} more` : ''
  // The number of machines is unknown here.
  const where = options.backend === 'memory' ? '; on one machine: for several take backend = "kvstore"' : ', in Redis'
  return [
    ok(
      NAME,
      `answers of ${names}${many} are kept, apart for callers whom a rule, a claim, a session variable or a role tells apart${where}`,
    ),
  ]
})
