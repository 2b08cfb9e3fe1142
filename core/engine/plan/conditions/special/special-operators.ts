import { defineOperators, type Operator, type OperatorEntry } from '../operator.ts'
import { CODE_OPERATORS } from './code-operators.ts'
import { EXTENT_OPERATORS } from './extent-operators.ts'
import { NETWORK_OPERATORS } from './network-operators.ts'
import { PLACE_OPERATORS } from './place-operators.ts'
import { VECTOR_OPERATORS } from './vector-operators.ts'

/**
 * Operators of single semantic scalars (docs/reference/scalars.md#operators-of-single-scalars). There are none for facts that the
 * stored value does not contain, such as the carrier of a telephone number.
 */
export const SPECIAL_OPERATORS: readonly Operator[] = defineOperators(
  [...CODE_OPERATORS, ...NETWORK_OPERATORS, ...EXTENT_OPERATORS, ...VECTOR_OPERATORS, ...PLACE_OPERATORS].map(
    (entry: OperatorEntry): OperatorEntry => ({ ...entry, aliases: [...(entry.aliases ?? []), aliasOf(entry.name)] }),
  ),
)

/** Returns the name that REST accepts, normalised: `domaineq` for `_domain_eq`. */
function aliasOf(name: string): string {
  return name.replaceAll('_', '')
}
