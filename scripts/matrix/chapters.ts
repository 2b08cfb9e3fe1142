/** Versions of the package with PostgreSQL, by major version: the oldest and the newest that svc supports. */
export const VERSIONS: Readonly<Record<string, string>> = { 13: '13.23.0-beta.16', 18: '18.4.0-beta.17' }

/** Test files that run on each version. */
export const CHAPTERS = [
  'test/plugins/postgres/driver.test.ts',
  'test/plugins/postgres/session*.test.ts',
  'test/plugins/postgres/{pgbouncer,prepared-statements}.test.ts',
  'test/plugins/postgres/recovery.test.ts',
  'test/conformance/*.test.ts',
  'test/conformance/access/*.test.ts',
  'test/conformance/matrix/*.test.ts',
  'test/differential/postgres.test.ts',
] as const

/** The part of `--short`, for every change. */
export const SHORT_CHAPTERS = [
  'test/plugins/postgres/driver.test.ts',
  'test/conformance/{mutations,edge-values,hostile-claims}.test.ts',
  'test/differential/postgres.test.ts',
] as const

/** Test files that pass behind PgBouncer in transaction mode. */
export const POOLED_CHAPTERS = [
  'test/conformance/{bad-input,composite-relations,depth,edge-values,elements,hostile-claims,hostile-operands,mutations,options,queries,schema-language,whole-answers}.test.ts',
] as const

export const SHORT_POOLED_CHAPTERS = ['test/conformance/{mutations,edge-values}.test.ts'] as const

/** Files that cannot pass, by major version, with the reason. */
export const EXCEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  13: { 'test/conformance/session-variables.test.ts': 'views have no security_invoker before PostgreSQL 15' },
}

/** Cases of the differential test with `--short`. */
export const SHORT_CASES = 600
