import { CONTACT } from './contact.ts'
import { CONTENT } from './content.ts'
import { EXTENT } from './extent.ts'
import { FINANCE } from './finance.ts'
import { GEO_JSON } from './geo-json.ts'
import { GEOGRAPHY } from './geography.ts'
import { IDENTIFIER } from './identifier.ts'
import { NETWORK } from './network.ts'
import type { SemanticScalar } from './semantic-scalar.ts'
import { VECTOR } from './vector.ts'

/** Definitions of all semantic scalars, such as Email (docs/reference/scalars.md#semantic-scalars). */
export const SEMANTIC: readonly SemanticScalar[] = [
  ...CONTACT,
  ...GEOGRAPHY,
  ...FINANCE,
  ...IDENTIFIER,
  ...NETWORK,
  ...CONTENT,
  ...EXTENT,
  ...VECTOR,
  GEO_JSON,
]
