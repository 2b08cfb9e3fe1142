import { isListRef } from '../../schema/type-ref.ts'
import type { TypeIndex } from '../type-index.ts'
import type { CallSlot } from './call-slots.ts'

/** The type that a catalog gives to a parameter or column without a declared type. */
export const UNDECLARED = 'unknown'

/** Scalars whose values have a form of their own. Texts and ids are what they are compared with. */
const BY_BASE: Readonly<Record<string, string>> = {
  Int: 'int8',
  BigInt: 'int8',
  Float: 'float8',
  Decimal: 'numeric',
  Boolean: 'bool',
  DateTime: 'timestamptz',
  Date: 'date',
  Time: 'time',
  UUID: 'uuid',
}

/** The SQL type of a parameter. A parameter without a declared type gets that of its argument. */
export function parameterType(index: TypeIndex, { ref, json }: CallSlot, type: string): string {
  if (type !== UNDECLARED || ref === null) return type
  if (json || isListRef(ref)) return 'json'
  const named = index.get(ref.name)
  if (named?.kind !== 'scalar') return type
  const { name, semantic } = named.base
  return BY_BASE[semantic?.base ?? name] ?? type
}
