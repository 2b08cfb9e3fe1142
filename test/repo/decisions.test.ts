import t from 'tap'
import { faultsOfDecision, fileNameOf, parseDecision, readDecisions } from '../../scripts/docs/decisions-page.ts'

const decisions = readDecisions()

t.test('every decision record has a number, a title, a status, a date and a file name that fits', async (t) => {
  t.ok(decisions.length > 80, 'the records are found')
  for (const decision of decisions) t.strictSame(faultsOfDecision(decision, decisions), [], decision.file)
})

const GOOD = '# 64. Unresponsive message bus\n\n- Status: accepted\n- Date: 2026-11-23\n\n**Context.** Text.\n'
const faultsOf = (text: string, file = fileNameOf(64, 'Unresponsive message bus')) =>
  faultsOfDecision(
    parseDecision(file, text),
    decisions.filter((other) => other.number !== 64),
  )

t.test('a complete record has no faults', async (t) => {
  t.strictSame(faultsOf(GOOD), [])
  const { file } = decisions.find(({ number }) => number === 91)!
  t.strictSame(faultsOf(GOOD.replace('accepted', `accepted, amended by [91](${file})`)), [])
  t.strictSame(faultsOf(GOOD.replace('accepted', `superseded by [91](${file})`)), [])
})

t.test('an incomplete record is refused', async (t) => {
  t.strictSame(faultsOf(GOOD.replace('# 64. ', '# ')), ['the first line is not "# NUMBER. TITLE"'])
  t.strictSame(faultsOf(GOOD.replace('# 64. Unresponsive message bus', '# 64. ')), [
    'the first line is not "# NUMBER. TITLE"',
  ])
  t.strictSame(faultsOf(GOOD.replace('- Status: accepted\n', '')), ['there is no line "- Status: …"'])
  t.strictSame(faultsOf(GOOD.replace('accepted', 'maybe')), ['"maybe" is not a status'])
  t.strictSame(faultsOf(GOOD.replace('- Date: 2026-11-23\n', '')), ['there is no line "- Date: YYYY-MM-DD"'])
  t.strictSame(faultsOf(GOOD.replace('2026-11-23', 'today')), ['there is no line "- Date: YYYY-MM-DD"'])
  t.strictSame(faultsOf(GOOD, '0064-a-bus.md'), ['the file name is not 0064-unresponsive-message-bus.md'])
})

t.test('a number that is taken and a link to no record are refused', async (t) => {
  const taken = GOOD.replace('# 64.', '# 91.')
  t.strictSame(faultsOf(taken, fileNameOf(91, 'Unresponsive message bus')), ['number 91 is taken'])
  t.strictSame(faultsOf(GOOD.replace('accepted', 'superseded by [91](0091-gone.md)')), [
    'the status links to 0091-gone.md, which does not exist',
  ])
  const { file } = decisions.find(({ number }) => number === 91)!
  t.strictSame(faultsOf(GOOD.replace('accepted', `superseded by [90](${file})`)), [
    `the status calls ${file} number 90`,
  ])
})
