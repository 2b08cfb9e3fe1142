import {
  type DocumentNode,
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
  parse,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql'
import { didYouMean, SvcError } from '../../../core/doors/plugin.ts'
import { OnDemandSchema } from '../schema/on-demand-schema.ts'
import { DocumentErrors, fromGraphQLError, MOST_ERRORS } from './document-errors.ts'

export interface DocumentLimits {
  /** Maximum number of tokens in a document (`svc.max_document_tokens`). */
  readonly maxTokens: number
  /** `true` allows clients to query `__schema` and `__type` (`graphql.introspection`). */
  readonly introspection: boolean
}

const TOKEN_MESSAGE = /contains more tha[tn] \d+ tokens/

/**
 * Parses and validates a GraphQL document.
 * @param limits maximum number of tokens, and whether introspection is allowed
 * @throws DocumentErrors PARSE_ERROR, GRAPHQL_VALIDATION_FAILED, or VALIDATION_ERROR when validation takes too much
 * work
 */
export function parseDocument(text: string, schema: GraphQLSchema, limits: DocumentLimits): DocumentNode {
  const document = parseText(text, limits.maxTokens)
  const errors = guardStack(
    () => validate(schema, document, validationRules(limits.introspection), { maxErrors: MOST_ERRORS }),
    'VALIDATION_ERROR',
  )
  if (errors.length > 0) throw new DocumentErrors(errors.map(toValidationError))
  return document
}

function parseText(text: string, maxTokens: number): DocumentNode {
  try {
    return guardStack(() => parse(text, { maxTokens }), 'PARSE_ERROR')
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    const message = TOKEN_MESSAGE.test(error.message)
      ? `The document has more than ${maxTokens} tokens; svc.max_document_tokens sets the bound.`
      : error.message
    throw new DocumentErrors([fromGraphQLError('PARSE_ERROR', error, message)])
  }
}

function toValidationError(error: GraphQLError): SvcError {
  if (error.message !== 'Validation aborted.') return fromGraphQLError('GRAPHQL_VALIDATION_FAILED', error)
  return new SvcError(
    'VALIDATION_ERROR',
    'The document takes too much work to validate: too many fields share one name in one place.',
  )
}

/** Converts a stack overflow to an error. The parser and some rules are recursive, and the token limit does not limit nesting enough. */
function guardStack<T>(work: () => T, code: string): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new DocumentErrors([new SvcError(code, 'The document is nested too deeply.')])
  }
}

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

/**
 * Returns the validation rules of the GraphQL specification.
 * @param introspection `false` adds a rule that rejects introspection fields
 */
export function validationRules(introspection: boolean): readonly ValidationRule[] {
  return introspection ? rules : rulesWithoutIntrospection
}
