import { familyOf } from '../../schema/column-family.ts'

/** The name that a catalog gives to types which its database does not declare. */
const UNKNOWN = 'unknown'

/** Are values of `now` read as those of `compiled` are? Both in the spelling of the catalog; `null` is not known. */
export function readsAlike(compiled: string | null, now: string): boolean {
  if (compiled === null || compiled === now || compiled === UNKNOWN || now === UNKNOWN) return true
  if (compiled.startsWith('_') && now.startsWith('_')) return readsAlike(compiled.slice(1), now.slice(1))
  const family = familyOf(compiled)
  return family !== null && family !== 'other' && family === familyOf(now)
}

/** PostgreSQL's implicit casts between types that arguments have. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  int2: ['int4', 'int8', 'numeric', 'float4', 'float8'],
  int4: ['int8', 'numeric', 'float4', 'float8'],
  int8: ['numeric', 'float4', 'float8'],
  numeric: ['float4', 'float8'],
  float4: ['float8'],
  date: ['timestamp', 'timestamptz'],
  timestamp: ['timestamptz'],
  text: ['varchar', 'bpchar'],
  varchar: ['text', 'bpchar'],
  bpchar: ['text', 'varchar'],
}

/** Does a parameter of type `now` take a value that is handed over as `compiled`? */
export function takesAlike(compiled: string | null, now: string): boolean {
  if (compiled === null || compiled === now || compiled === UNKNOWN || now === UNKNOWN) return true
  return WIDER[compiled]?.includes(now) === true
}
