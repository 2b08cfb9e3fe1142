import { defineCommandRunner, EXIT, printJson } from '../../core/doors/command.ts'
import { SvcError } from '../../core/doors/plugin.ts'
import type { McpListing } from './api.ts'

/** Approximate number of JSON characters in a token. */
const CHARACTERS_PER_TOKEN = 4

/**
 * Runs the command `svc mcp check`, which lists the tools, resources and prompts for a caller and their size in tokens.
 */
export default defineCommandRunner(async ({ positionals: [action], flags }, { io, boot }) => {
  if (action !== 'check') throw usage(`"${action}" is nothing that it can do. Write: svc mcp check`)
  const most = readMost(flags['max-tokens'])
  const as = readJson(flags.as)
  const service = await boot()
  const listing = await service.provided('mcp')!.listFor(as)
  const tokens = sizeOf(listing.tools)
  if (flags.json === true) printJson(io, { ...listing, tokens })
  else io.stdout(print(listing, tokens))
  if (most === null || tokens <= most) return EXIT.ok
  io.stderr(
    `The tools have about ${tokens} tokens, more than --max-tokens ${most}: name fewer under [svc.mcp] include, or put together your own under [[svc.mcp.tools]].\n`,
  )
  return EXIT.invalid
})

function sizeOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN)
}

function print({ tools, resources, prompts }: McpListing, tokens: number): string {
  const width = Math.max(4, ...tools.map(({ name }) => String(name).length))
  const lines = tools.map((tool) => {
    const { name, annotations, description, inputSchema } = tool
    const { readOnlyHint, destructiveHint } = (annotations ?? {}) as {
      readOnlyHint?: boolean
      destructiveHint?: boolean
    }
    const does = readOnlyHint === true ? 'reads' : destructiveHint === true ? 'changes' : 'writes'
    const { properties = {}, required = [] } = inputSchema as { properties?: object; required?: readonly string[] }
    const args = Object.keys(properties).map((each) => (required.includes(each) ? each : `${each}?`))
    const size = String(sizeOf(tool)).padStart(6)
    return [
      `${String(name).padEnd(width)}  ${does.padEnd(7)} ${size}  ${args.join(', ')}`,
      `${' '.repeat(width + 18)}${visible(firstLine(String(description)))}`,
    ].join('\n')
  })
  const head = `${'tool'.padEnd(width)}  does    tokens  arguments`
  const sum = `${tools.length} tools, about ${tokens} tokens (estimated: ${CHARACTERS_PER_TOKEN} characters each). ${resources.length} resources, ${prompts.length} prompts.`
  return `${[...(tools.length === 0 ? [] : [head]), ...lines, sum].join('\n')}\n`
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n')
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

/** Escapes control and invisible characters: a terminal would execute the former, and a person would miss the latter, which models read. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => `\\u{${found.codePointAt(0)!.toString(16)}}`)
}

function readMost(value: string | boolean | undefined): number | null {
  if (value === undefined) return null
  const most = Number(value)
  if (!Number.isSafeInteger(most) || most < 0) throw usage('--max-tokens is a whole number.')
  return most
}

function readJson(value: string | boolean | undefined): unknown {
  if (typeof value !== 'string') return null
  try {
    return JSON.parse(value)
  } catch {
    throw usage('--as is no JSON.')
  }
}

function usage(message: string): SvcError {
  return new SvcError('SVC_USAGE', message)
}
