import {
  FieldsOnCorrectTypeRule,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLSchema,
  isAbstractType,
  isUnionType,
  KnownArgumentNamesRule,
  KnownTypeNamesRule,
  NoSchemaIntrospectionCustomRule,
  ProvidedRequiredArgumentsRule,
  specifiedRules,
  type ValidationRule,
} from 'graphql'
import { didYouMean } from '../../../core/doors/plugin.ts'
import { OnDemandSchema } from '../schema/on-demand-schema.ts'

/** Maximum number of errors with a suggestion. Each suggestion compares all names. */
const MAX_GUESSES = 5
/** Maximum number of types of an interface that are searched for a field that the interface does not have. */
const MAX_POSSIBLE = 100

/** The rule KnownTypeNames of GraphQL, without a list of all types per document. */
const knownTypeNames: ValidationRule = (context) => {
  let guesses = 0
  return {
    NamedType(node) {
      const schema = context.getSchema()
      const name = node.name.value
      if (schema.getType(name) !== undefined) return
      const guess =
        guesses++ < MAX_GUESSES && schema instanceof OnDemandSchema ? didYouMean(name, schema.listNames()) : ''
      context.reportError(new GraphQLError(`Unknown type "${name}".${guess}`, { nodes: node }))
    },
  }
}

/** The rule FieldsOnCorrectType of GraphQL, with suggestions that stay cheap for types with thousands of fields. */
const knownFields: ValidationRule = (context) => {
  let guesses = 0
  return {
    Field(node) {
      const type = context.getParentType()
      if (!type || context.getFieldDef()) return
      const name = node.name.value
      const guess = guesses++ < MAX_GUESSES ? guessField(context.getSchema(), type, name) : ''
      context.reportError(
        new GraphQLError(`Cannot query field "${name}" on type "${type.name}".${guess}`, { nodes: node }),
      )
    },
  }
}

function guessField(schema: GraphQLSchema, type: GraphQLCompositeType, name: string): string {
  if (isAbstractType(type)) {
    const possible = schema.getPossibleTypes(type).slice(0, MAX_POSSIBLE)
    const owner = possible.find((each) => each.getFields()[name] !== undefined)
    if (owner !== undefined) return ` Did you mean to use an inline fragment on "${owner.name}"?`
  }
  return isUnionType(type) ? '' : didYouMean(name, Object.keys(type.getFields()))
}

/**
 * Returns the same rule, with visitors of one hidden class. GraphQL creates some visitors with a spread, and V8 gives each of them a hidden
 * class. The traversal then caches forty property look-ups per visitor again for each document, in memory that only a full garbage
 * collection frees.
 */
function ofOneShape(rule: ValidationRule): ValidationRule {
  return (context) => Object.fromEntries(Object.entries(rule(context)))
}

const OWN: ReadonlyMap<ValidationRule, ValidationRule> = new Map([
  [KnownTypeNamesRule, knownTypeNames],
  [FieldsOnCorrectTypeRule, knownFields],
  [KnownArgumentNamesRule, ofOneShape(KnownArgumentNamesRule)],
  [ProvidedRequiredArgumentsRule, ofOneShape(ProvidedRequiredArgumentsRule)],
])
const rules = specifiedRules.map((rule) => OWN.get(rule) ?? rule)
const rulesWithoutIntrospection = [...rules, NoSchemaIntrospectionCustomRule]

/** All rules of the GraphQL specification. */
export function validationRules(introspection: boolean): readonly ValidationRule[] {
  return introspection ? rules : rulesWithoutIntrospection
}
