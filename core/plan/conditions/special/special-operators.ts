import { defineOperators, type Operator, type OperatorEntry } from '../operator.ts'
import { CODE_OPERATORS } from './code-operators.ts'
import { EXTENT_OPERATORS } from './extent-operators.ts'
import { NETWORK_OPERATORS } from './network-operators.ts'
import { PLACE_OPERATORS } from './place-operators.ts'
import { VECTOR_OPERATORS } from './vector-operators.ts'

/**
 * The operators of single semantic scalars (behaviours 4.2, 3.2). Only what runs stands here: what a value does not say
 * (the carrier of a telephone number, the size of a file) cannot be asked.
 */
export const SPECIAL_OPERATORS: readonly Operator[] = defineOperators(
  [...CODE_OPERATORS, ...NETWORK_OPERATORS, ...EXTENT_OPERATORS, ...VECTOR_OPERATORS, ...PLACE_OPERATORS].map(
    (entry: OperatorEntry): OperatorEntry => ({ ...entry, aliases: [...(entry.aliases ?? []), aliasOf(entry.name)] }),
  ),
)

/** `domainEq` as REST writes it, normalised. */
function aliasOf(name: string): string {
  return name.replaceAll('_', '')
}
