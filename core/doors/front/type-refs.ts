/** Types in GraphQL notation: `[String!]!`. */

export { typeRef as of } from '../../engine/inputs/generated-inputs.ts'
export {
  isListRef as isList,
  namedTypeOf,
  parseTypeRef as parse,
  printTypeRef as print,
} from '../../schema/type-ref.ts'
