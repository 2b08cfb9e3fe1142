import { readdirSync, readFileSync } from 'node:fs'
import { GENERATED, type Page, toTable } from './page.ts'

const FOLDER = 'docs/explain/decisions'
const ROOT = new URL('../../', import.meta.url)

/** The header of a decision record. A field that is missing or malformed is `undefined`. */
export interface Decision {
  readonly file: string
  readonly number: number | undefined
  readonly title: string | undefined
  /** Markdown: `accepted`, `accepted, amended by [8](…)` or `superseded by [9](…)`. */
  readonly status: string | undefined
  /** The day on which the record was added, as `YYYY-MM-DD`. */
  readonly date: string | undefined
}

export function parseDecision(file: string, text: string): Decision {
  const [heading = ''] = text.split('\n', 1)
  const [, number, title] = /^# (\d+)\. (\S.*)$/.exec(heading) ?? []
  return {
    file,
    number: number === undefined ? undefined : Number(number),
    title,
    status: /^- Status: (\S.*)$/m.exec(text)?.[1],
    date: /^- Date: (\d{4}-\d{2}-\d{2})$/m.exec(text)?.[1],
  }
}

/** Every record of the project, by number. */
export function readDecisions(): readonly Decision[] {
  return readdirSync(new URL(`${FOLDER}/`, ROOT))
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map((file) => parseDecision(file, readFileSync(new URL(`${FOLDER}/${file}`, ROOT), 'utf8')))
}

/** `0064-unresponsive-message-bus.md` for number 64 and the title "Unresponsive message bus". */
export function fileNameOf(number: number, title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return `${String(number).padStart(4, '0')}-${words.join('-')}.md`
}

const REFERENCE = String.raw`\[(?:\d+)\]\(\d{4}-[a-z0-9-]+\.md\)`
const REFERENCES = `${REFERENCE}(?:(?:, | and )${REFERENCE})*`
const STATUS = new RegExp(`^(?:accepted(?:, amended by ${REFERENCES})?|superseded by ${REFERENCES})$`)

/** Errors of a record's header, one line each. */
export function faultsOfDecision(decision: Decision, all: readonly Decision[]): readonly string[] {
  const { file, number, title, status, date } = decision
  const faults: string[] = []
  if (number === undefined || title === undefined) faults.push('the first line is not "# NUMBER. TITLE"')
  else if (file !== fileNameOf(number, title)) faults.push(`the file name is not ${fileNameOf(number, title)}`)
  if (all.some((other) => other.file !== file && other.number === number)) faults.push(`number ${number} is taken`)
  if (status === undefined) faults.push('there is no line "- Status: …"')
  else if (!STATUS.test(status)) faults.push(`"${status}" is not a status`)
  if (date === undefined) faults.push('there is no line "- Date: YYYY-MM-DD"')
  for (const [, shown, target] of (status ?? '').matchAll(/\[(\d+)\]\(([^)]+)\)/g)) {
    const other = all.find((candidate) => candidate.file === target)
    if (other === undefined) faults.push(`the status links to ${target}, which does not exist`)
    else if (other.number !== Number(shown)) faults.push(`the status calls ${target} number ${shown}`)
  }
  return faults
}

const INTRODUCTION = `# Decision records

${GENERATED}

A decision record explains a design decision of svc: the problem, the decision, the alternatives and the consequences. Read
the record before you change the behaviour. Later code changes do not change a record. A later record amends or supersedes it,
and its status links to that record.

To add a record, create \`NNNN-title-in-lower-case.md\` with the next free number and this header, then run \`npm run docs\`:

    # 64. Unresponsive message bus

    - Status: accepted
    - Date: 2026-11-23

    **Context.** The problem, so that a reader who does not know the code understands it.

    **Decision.** What svc does.

    **Consequences.** What users notice, costs, and limits.

The title is a noun phrase that names the subject. The status is \`accepted\`, \`accepted, amended by [91](…)\` or
\`superseded by [91](…)\`. Numbers are never reused; a gap is a number that no record was published under.
`

/** docs/explain/decisions/README.md */
export function renderDecisionsPage(): Page {
  const rows = readDecisions().map(({ file, number, title, status, date }) => [
    String(number ?? '?'),
    `[${title ?? file}](${file})`,
    status ?? '?',
    date ?? '?',
  ])
  const table = toTable(['Number', 'Title', 'Status', 'Date'], rows)
  return { path: `${FOLDER}/README.md`, content: `${INTRODUCTION}\n${table}\n` }
}
