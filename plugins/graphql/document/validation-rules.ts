import {
  GraphQLError,
  KnownTypeNamesRule,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  type ValidationRule,
} from 'graphql'
import { didYouMean } from '../../../core/index.ts'

/**
 * The rule of the same name without its list of all types per document: names are looked up one by one, so that types
 * which no document speaks of are never made.
 */
const knownTypeNames: ValidationRule = (context) => ({
  NamedType(node) {
    const schema = context.getSchema()
    const name = node.name.value
    if (schema.getType(name) !== undefined) return
    const guess = didYouMean(name, Object.keys(schema.getTypeMap()))
    context.reportError(new GraphQLError(`Unknown type "${name}".${guess}`, { nodes: node }))
  },
})

const rules = specifiedRules.map((rule) => (rule === KnownTypeNamesRule ? knownTypeNames : rule))
const rulesWithoutIntrospection = [...rules, NoSchemaIntrospectionCustomRule]

/** All rules of the GraphQL specification. */
export function validationRules(introspection: boolean): readonly ValidationRule[] {
  return introspection ? rules : rulesWithoutIntrospection
}
