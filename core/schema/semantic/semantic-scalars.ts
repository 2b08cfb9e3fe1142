import { CONTACT } from './contact.ts'
import { CONTENT } from './content.ts'
import { EXTENT } from './extent.ts'
import { FINANCE } from './finance.ts'
import { GEOGRAPHY } from './geography.ts'
import { IDENTIFIER } from './identifier.ts'
import { NETWORK } from './network.ts'
import type { SemanticScalar } from './semantic-scalar.ts'
import { VECTOR } from './vector.ts'

/** The 51 of behaviours 4.2, by subject, and the vectors of 4.1. */
export const SEMANTIC: readonly SemanticScalar[] = [
  ...CONTACT,
  ...GEOGRAPHY,
  ...FINANCE,
  ...IDENTIFIER,
  ...NETWORK,
  ...CONTENT,
  ...EXTENT,
  ...VECTOR,
]
