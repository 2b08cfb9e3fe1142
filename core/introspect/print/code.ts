import type { Entry, Syntax } from './syntax.ts'

/** Longest line of printed source. */
export const WIDTH = 120

/** Returns a text as a TypeScript string literal, in single quotes unless it contains them. */
export function printText(text: string): string {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replace(/\\"/g, '"')
    .replace(
      /[\u007f-\u009f\u2028\u2029\ufeff]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  return inner.includes("'") && !inner.includes('"') ? `"${inner}"` : `'${inner.replace(/'/g, "\\'")}'`
}

/** Returns the source of a TypeScript literal for a JSON value, on one line. */
export function printValue(value: unknown): string {
  if (typeof value === 'string') return printText(value)
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return printObject(Object.entries(value).map(([name, inner]) => [name, printValue(inner)]))
  return JSON.stringify(value)
}

/** Returns the source of an object literal on one line. */
export function printObject(entries: readonly Entry[]): string {
  return entries.length === 0 ? '{}' : `{ ${entries.map(printEntry).join(', ')} }`
}

/** Returns a name as the source of an object key or class member, in quotes if it is no identifier. */
export function printKey(name: string): string {
  // In an object literal, __proto__ sets the prototype.
  return name === '__proto__' ? `['__proto__']` : /^[A-Za-z_$][\w$]*$/.test(name) ? name : printText(name)
}

/**
 * Returns the source of a function call whose last argument is an object literal, on one line if it fits.
 * @param callee source of the called function
 * @param args source of the other arguments
 * @param options entries of the object literal. Empty: the call has no such argument
 * @param rest length of the text that follows on the same line
 */
export function printCall(
  callee: string,
  args: readonly string[],
  options: readonly Entry[],
  indent = '',
  rest = 0,
): string {
  const line = `${callee}(${[...args, ...(options.length === 0 ? [] : [printObject(options)])].join(', ')})`
  if (indent.length + line.length + rest <= WIDTH || options.length === 0) return line
  return `${callee}(${[...args, ''].join(', ')}${printLines(options, indent)})`
}

/**
 * Returns the source of an object literal with one entry per line.
 * @param indent spaces before the closing brace
 */
export function printLines(entries: readonly Entry[], indent = ''): string {
  return `{\n${entries.map((entry) => `${indent}  ${printEntry(entry)},\n`).join('')}${indent}}`
}

/**
 * Returns the source of a class member with its decorator, on one line if it fits: `@field(String) name!: string`.
 * @param callee name of the decorator
 * @param source source code of its first argument
 * @param options entries of its last argument, an object literal; empty: there is no such argument
 * @param member source code of the member
 */
export function printMember(callee: string, source: string, options: readonly Entry[], member: string): string {
  const line = `  @${printCall(callee, [source], options)} ${member}`
  if (line.length <= WIDTH) return line
  return `  @${printCall(callee, [source], options, '  ', 1)}\n  ${member}`
}

/**
 * Returns the source of a TypeScript import, on one line if it fits.
 * @param from module specifier
 */
export function printImport(names: readonly string[], from: string): string {
  const line = `import { ${names.join(', ')} } from '${from}'`
  if (line.length <= WIDTH) return line
  return `import {\n${names.map((name) => `  ${name},\n`).join('')}} from '${from}'`
}

function printEntry([name, code]: Entry): string {
  return name === code ? name : `${printKey(name)}: ${code}`
}

/** Options as TypeScript has them: named in camelCase, as members of an object literal. */
export const TYPESCRIPT: Syntax = {
  optionName: (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  value: printValue,
  object: printObject,
}
