import type { PolicyTables } from './options.ts'

export const NO_TABLES: PolicyTables = { rules: [], policies: [], field_auth: [] }

/** Copies only the options that decide about access, so that configuration and compiled schema can be compared. */
export function tablesOf({ rules, policies, field_auth }: PolicyTables): PolicyTables {
  return { rules, policies, field_auth }
}

export function sameTables(one: PolicyTables, other: PolicyTables): boolean {
  return write(tablesOf(one)) === write(tablesOf(other))
}

/** Writes a value as JSON with sorted keys, for comparison. */
function write(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
