import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql'
import { SvcError } from '../../../core/doors/plugin.ts'
import { DocumentErrors, fromGraphQLError, MOST_ERRORS } from './document-errors.ts'
import { validationRules } from './validation-rules.ts'

export interface DocumentLimits {
  /** `svc.max_document_tokens`. */
  readonly maxTokens: number
  /** `graphql.introspection`. */
  readonly introspection: boolean
}

const TOKEN_MESSAGE = /contains more tha[tn] \d+ tokens/

/**
 * Parses and validates one document.
 * @throws DocumentErrors with PARSE_ERROR, GRAPHQL_VALIDATION_FAILED or VALIDATION_ERROR (too much work to validate)
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
