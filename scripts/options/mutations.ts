import type { Chapter } from './option.ts'

/** Options of a mutation. */
const MUTATION: Chapter = {
  title: 'Mutation',
  proof: 'database',
  options: {
    'mutation.sql_source': 'SQL function that is called; default `fn_<name>`',
    'mutation.description': 'Description of the mutation',
    'mutation.deprecated': 'Deprecation message',
    'mutation.arguments': 'Arguments reach parameters of the same name, with or without `p_`',
    'mutation.operation': '`CREATE` `UPDATE` `DELETE` `CUSTOM`: the kind that hooks and events receive',
    'mutation.inject': 'Claims as parameters; never seen or set by clients',
    'mutation.input_style': 'An input as one JSON parameter, or field by field',
    'mutation.call': 'Values in declared order, whatever the parameters are called',
    'mutation.cascade': 'The function reports other rows that it changed',
    'mutation.validate': 'Rules about its arguments together',
    'mutation.requires_role': 'Required role',
    'mutation.requires_scope': 'Required scope',
    'mutation.authenticated': 'Only with a credential',
    'mutation.api_key_required': 'Only with an API key',
    'mutation.public': 'Callable without a credential, whatever the default policy says',
    'mutation.cache_update': 'Updates the cache after the mutation',
    'mutation.invalidates': 'Views whose cached answers are dropped',
    'mutation.upsert_function': 'Function for REST upserts',
    'mutation.rest_path': 'REST route',
    'mutation.rest_method': 'REST method',
    'mutation.database': 'Database of the mutation',
    'mutation.serial': 'Root fields run one after the other, each in its own transaction',
  },
}

/** Columns of the record `mutation_response`, and other results of functions. */
const RECORD: Chapter = {
  title: 'mutation_response',
  proof: 'database',
  options: {
    'record.status': 'Success words',
    'record.noop': '`noop`: a success, without an event',
    'record.failed':
      '`failed:*`, `error`, `not_found`, `forbidden`, `conflict`: an error with its code; what was written stays',
    'record.unknown-status': 'Any other word breaks the contract: rolled back',
    'record.message': 'Text of the error',
    'record.entity': 'The affected entity',
    'record.entity_id': 'What the entity lacks is read by it, in the same transaction',
    'record.entity_type': 'Member of a union or interface',
    'record.updated_fields': 'Names that changed, as a field of the payload',
    'record.cascade': 'What else changed, as a field of the payload',
    'record.metadata': 'Fields of the error member',
    'record.error-member': 'A union with an error type: a failure is data',
    'record.other-forms': 'The two older forms of the record',
    'record.plain': 'Ids, rows, sets, scalars, `void`, `jsonb` instead of the record',
    'record.raised': '`RAISE EXCEPTION … USING HINT`: rolled back, an error with that code',
  },
}

/** Middleware, hooks before and after mutations, and their order. */
const HOOKS: Chapter = {
  title: 'Middleware and hooks',
  proof: 'database',
  options: {
    'middleware.order': '`(request, next)`, in the order of registration, around the request',
    'middleware.before-auth': 'Runs before any check of the credential; may change the raw request',
    'middleware.claims': '`request.auth.claims`: verified claims',
    'middleware.context': '`request.context`: values for `row_filter`',
    'middleware.throw': 'A throw is the answer; `SvcError` gives it its code',
    'middleware.answer': 'Answers itself, or changes what `next` gave',
    'before_mutation.runs': 'Runs in the transaction, after all checks of access, before the function',
    'before_mutation.throw': 'A throw aborts the mutation and rolls back',
    'after_mutation.runs': 'Runs in the transaction, after the function succeeded; blocks the answer; sees the request',
    'after_mutation.throw': 'A throw rolls back',
    'hooks.named': 'Only the named mutation runs them, under either spelling of its name',
    'pipeline.order': 'Middleware, authentication, authorization, before hooks, function, after hooks',
  },
}

export const MUTATIONS = [MUTATION, RECORD, HOOKS]
