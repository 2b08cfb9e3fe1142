import type { Entry, Syntax } from '../syntax.ts'

/** Longest line of printed source. */
const WIDTH = 120

/** Returns a text as a Python string literal in double quotes. */
export function printPythonText(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Returns the source of a Python literal for a JSON value, on one line. */
export function printPythonValue(value: unknown): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  if (typeof value === 'string') return printPythonText(value)
  if (Array.isArray(value)) return `[${value.map(printPythonValue).join(', ')}]`
  if (typeof value === 'object')
    return printDict(Object.entries(value).map(([name, inner]) => [name, printPythonValue(inner)]))
  return JSON.stringify(value)
}

/** Options as Python has them: named in snake_case, as keys of a dict. */
export const PYTHON: Syntax = { optionName: (key) => key, value: printPythonValue, object: printDict }

function printDict(entries: readonly Entry[]): string {
  return `{${entries.map(([name, code]) => `${printPythonText(name)}: ${code}`).join(', ')}}`
}

/**
 * Returns the source of a call with named arguments, on one line if it fits.
 * @param args positional arguments
 * @param rest length of the text that follows on the line
 */
export function printPythonCall(
  callee: string,
  args: readonly string[],
  options: readonly Entry[],
  indent = '',
  rest = 0,
): string {
  const parts = [...args, ...options.map(([name, code]) => `${name}=${code}`)]
  const line = `${callee}(${parts.join(', ')})`
  if (indent.length + line.length + rest <= WIDTH) return line
  return printBlock(`${callee}(`, parts, ')', indent)
}

/** Returns the source of a decorator. Without options it has no parentheses. */
export function printDecorator(word: string, options: readonly Entry[]): string {
  return options.length === 0 ? `@svc.${word}` : `@${printPythonCall(`svc.${word}`, [], options)}`
}

/**
 * Returns the type of a field or an argument with its options: `Annotated[str, svc.field(…)]`, on one line if it fits.
 * @param before text before it on the line
 * @param rest length of the text that follows on the line
 */
export function printAnnotated(
  type: string,
  callee: string,
  options: readonly Entry[],
  before: string,
  rest = 0,
): string {
  const line = `Annotated[${type}, ${printPythonCall(callee, [], options, '', -Number.MAX_SAFE_INTEGER)}]`
  if (before.length + line.length + rest <= WIDTH) return line
  const indent = /^ */.exec(before)![0]
  return printBlock('Annotated[', [type, printPythonCall(callee, [], options, `${indent}    `, 1)], ']', indent)
}

/**
 * Returns the source of a function without a body, on one line if it fits.
 * @param parameters source of each parameter, for a line of its own
 */
export function printFunction(name: string, parameters: readonly string[], result: string): string {
  const line = `def ${name}(${parameters.join(', ')}) -> ${result}: ...`
  if (line.length <= WIDTH && !line.includes('\n')) return line
  return `${printBlock(`def ${name}(`, parameters, `) -> ${result}: ...`, '')}`
}

/** Returns the source of an import, on one line if it fits. */
export function printPythonImport(from: string, names: readonly string[], indent = ''): string {
  const line = `${indent}from ${from} import ${names.join(', ')}`
  return line.length <= WIDTH ? line : `${indent}${printBlock(`from ${from} import (`, names, ')', indent)}`
}

function printBlock(open: string, parts: readonly string[], close: string, indent: string): string {
  return `${open}\n${parts.map((part) => `${indent}    ${part},\n`).join('')}${indent}${close}`
}
