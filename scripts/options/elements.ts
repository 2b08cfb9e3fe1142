import type { Chapter } from './option.ts'

/** Options of inputs, enums, interfaces, unions, scalars and errors. */
const ELEMENTS: Chapter = {
  title: 'Inputs, enums, interfaces, unions, scalars, errors',
  proof: 'database',
  options: {
    'input.description': 'Description of the input',
    'input.validate': 'Rules about its fields together',
    'input_field.description': 'Description of the field',
    'input_field.deprecated': 'Deprecation message',
    'input_field.default': 'Default value; reaches the function',
    'input_field.validate': 'Rules that its value has to pass',
    'enum.description': 'Description of the enum',
    'enum.values': 'Names on the wire, in filters and arguments',
    'enum_value.value': 'What SQL holds',
    'enum_value.description': 'Description of the value',
    'enum_value.deprecated': 'Deprecation message',
    'interface.description': 'Description of the interface',
    'interface.fields': 'Its fields, and those of each type',
    'interface.sql_source': 'Rows of all its types',
    'interface.type_column': 'Column that names the type of a row',
    'interface.aggregate': 'Numbers about the rows of all its types',
    'union.description': 'Description of the union',
    'union.members': 'Each member gives what is selected of it',
    'union.sql_source': 'Rows of all its members',
    'union.type_column': 'Column that names the type of a row',
    'scalar.description': 'Description of the scalar',
    'scalar.specified_by_url': 'Where the format is specified',
    'scalar.base_type': 'Wire form, operators and column type',
    'scalar.serialize': 'Value of the database → JSON for the client',
    'scalar.parse': 'Value of the client → what SQL gets; a throw refuses it',
    'scalar.parse_literal': 'A literal of the document → what SQL gets',
    'scalar.validation_rules': 'Rules that a value has to pass, wherever a client gives one',
    'scalar.elo_expression': 'A condition about `value`, checked after the rules',
    'error.decorator': '`@error`: a typed error as member of a union',
  },
}

/** Options of subscriptions, observers and columnar queries, and access decorators. */
const EVENTS: Chapter = {
  title: 'Subscriptions, observers, columnar queries',
  proof: 'database',
  options: {
    'subscription.entity_type': 'Entity that is watched',
    'subscription.topic': 'Topic of the message bus',
    'subscription.operation': '`INSERT` `UPDATE` `DELETE`',
    'subscription.filter': 'Condition over the fields of the entity',
    'subscription.durable': 'Persistent stream of the bus',
    'subscription.replay': 'Allows replay',
    'subscription.arguments': 'Arguments are equalities on the entity',
    'observer.entity': 'Entity that is watched',
    'observer.event': '`INSERT` `UPDATE` `DELETE`',
    'observer.condition': 'Condition over the fields of the entity',
    'observer.actions': 'What is done',
    'observer.retry': 'Attempts and backoff',
    'observer.sync': 'Waits for the actions',
    'arrow_query.sql_source': 'Query of the columnar transport',
    'access.authenticated': '`@authenticated`',
    'access.requires_scope': '`@requires_scope`',
    'access.api_key_required': '`@api_key_required`',
    'access.role': '`@role`',
  },
}

export const ELEMENT_CHAPTERS = [ELEMENTS, EVENTS]
