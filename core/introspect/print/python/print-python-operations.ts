import type {
  AuthoredArgument,
  AuthoredMutation,
  AuthoredObserver,
  AuthoredQuery,
  AuthoredSchema,
  AuthoredSubscription,
} from '../../../schema/authored.ts'
import {
  ARGUMENT_KEYS,
  ARROW_QUERY_KEYS,
  MUTATION_KEYS,
  OBSERVER_KEYS,
  type OptionKeys,
  printOptions,
  QUERY_KEYS,
  SUBSCRIPTION_KEYS,
} from '../print-options.ts'
import type { Entry } from '../syntax.ts'
import { unprintable } from '../unprintable.ts'
import { freeName } from './print-python-elements.ts'
import { PYTHON, printAnnotated, printDecorator, printFunction, printPythonText } from './python-code.ts'
import { PYTHON_KEYWORDS, USED_NAMES } from './python-names.ts'
import type { PythonScope } from './python-scope.ts'

type Operation = AuthoredQuery | AuthoredMutation | AuthoredSubscription

/**
 * Returns the source of the operations and observers of a schema, each a function.
 * @param taken identifiers of the module
 */
export function printPythonOperations(
  scope: PythonScope,
  schema: AuthoredSchema,
  taken: ReadonlySet<string>,
): readonly string[] {
  const names = new Set(taken)
  const identify = (name: string): string => {
    const identifier = freeName(name, names, names)
    names.add(identifier)
    return identifier
  }
  const operation = (word: string, one: Operation, keys: OptionKeys): string =>
    printOperation(scope, word, one, keys, identify(one.name))
  return [
    ...(schema.queries ?? []).map((query) =>
      query.dataplane === 'arrow'
        ? operation('arrow_query', query, ARROW_QUERY_KEYS)
        : operation('query', query, QUERY_KEYS),
    ),
    ...(schema.mutations ?? []).map((one) => operation('mutation', one, MUTATION_KEYS)),
    ...(schema.subscriptions ?? []).map((one) => operation('subscription', one, SUBSCRIPTION_KEYS)),
    ...(schema.observers ?? []).map((one) => printObserver(one, identify(one.name))),
  ]
}

function printOperation(
  scope: PythonScope,
  word: string,
  operation: Operation,
  keys: OptionKeys,
  identifier: string,
): string {
  const subject = `The ${word} ${operation.name}`
  const args = operation.arguments ?? []
  const names = new Set(args.map(({ name }) => name))
  if (names.size < args.length) throw unprintable(subject, 'two arguments have the same name')
  const options = [...nameOption(operation.name, identifier), ...printOptions(PYTHON, operation, keys, subject)]
  const parameters = args.map((argument) => printArgument(scope, argument, names, subject))
  const result = scope.printType(operation.type, subject)
  return `${printDecorator(word, options)}\n${printFunction(identifier, parameters, result)}`
}

function printArgument(
  scope: PythonScope,
  argument: AuthoredArgument,
  names: ReadonlySet<string>,
  subject: string,
): string {
  const own = `${subject}, argument ${argument.name},`
  const name = freeName(argument.name, new Set([...PYTHON_KEYWORDS, ...USED_NAMES]), names)
  const type = scope.printType(argument.type, own)
  const options = [...nameOption(argument.name, name), ...printOptions(PYTHON, argument, ARGUMENT_KEYS, own, false)]
  if (options.length === 0) return `${name}: ${type}`
  scope.use('Annotated')
  return `${name}: ${printAnnotated(type, 'svc.argument', options, `    ${name}: `, 1)}`
}

function printObserver(observer: AuthoredObserver, identifier: string): string {
  const options = printOptions(PYTHON, observer, OBSERVER_KEYS, `The observer ${observer.name}`, false)
  return `${printDecorator('observer', [...nameOption(observer.name, identifier), ...options])}\n${printFunction(identifier, [], 'None')}`
}

function nameOption(name: string, identifier: string): readonly Entry[] {
  return name === identifier ? [] : [['name', printPythonText(name)]]
}
