import { toSnakeCase } from '../../core/base/util/naming.ts'

/** Converts a text about options in TypeScript to one about options in Python: names and literals in code spans. */
export function pythonText(text: string): string {
  return text
    .replace(/ ?\(docs\/[^)]*\)/g, '')
    .replace(/`([^`]+)`/g, (_, code: string) => `\`${pythonCode(code)}\``)
    .replaceAll('interface_()', '`@svc.interface`')
}

function pythonCode(code: string): string {
  const named = /^[a-z]+(?:[A-Z][a-z]+)+$/.test(code) ? toSnakeCase(code) : code
  if (named === 'true') return 'True'
  if (named === 'false') return 'False'
  if (!/^[[{'"]/.test(named) && !/^\w+: (?:true|false)$/.test(named)) return named
  const literal = named
    .replace(/'([^']*)'/g, '"$1"')
    .replace(/([{,]\s*)([A-Za-z_]+)(?=\s*:)/g, (_, before: string, key: string) => `${before}"${toSnakeCase(key)}"`)
    .replace(/\btrue\b/g, 'True')
    .replace(/\bfalse\b/g, 'False')
    .replace(/^\{\s+|\s+\}$/g, (found) => found.trim())
  return /^\w+: (?:True|False)$/.test(literal) ? literal.replace(': ', '=') : literal
}

/** Breaks a text into lines of a docstring. */
export function wrap(text: string, indent: string, first = indent, width = 116): string {
  const lines: string[] = []
  let line = first
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > width && line.trim() !== '') {
      lines.push(line.trimEnd())
      line = indent
    }
    line += line === indent || line === first ? word : ` ${word}`
  }
  return [...lines, line].join('\n')
}
