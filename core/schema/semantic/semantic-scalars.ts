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

/** The 51 of behaviours 4.2, by subject, the vectors of 4.1, and what columns of PostGIS hold. */
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
