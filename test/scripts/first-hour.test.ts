import { readFileSync } from 'node:fs'
import t from 'tap'
import { JOURNEYS } from '../../scripts/first-hour/journeys.ts'
import { commandsOf, PAGE, renderPage } from '../../scripts/first-hour/render-page.ts'
import { toSqlite } from '../../scripts/first-hour/to-sqlite.ts'

const page = readFileSync(PAGE, 'utf8')

t.test('the page has the commands of the script in their order, each with its time', async (t) => {
  const shown = page
    .split('\n')
    .filter((line) => line.startsWith('$ '))
    .map((line) => /^\$ (.*) {3}# \d+\.\d s$/.exec(line)?.[1])
  t.strictSame(
    shown,
    JOURNEYS.flatMap(({ steps }) => commandsOf(steps)),
    'npm run first-hour -- --write',
  )
})

t.test('the page has the titles, files and edits of the script', async (t) => {
  for (const { title, text, steps } of JOURNEYS) {
    t.ok(page.includes(`## ${title}\n\n${text} The commands take `), title)
    for (const { write, text: content, edit } of steps) {
      if (write !== undefined) t.ok(page.includes(`\`${write}\`:\n\n`) && page.includes(content!), write)
      if (edit !== undefined) t.match(page, new RegExp(`[Ii]n \`${edit}\`, `))
    }
  }
})

t.test('the page shows for each step the output that proves it', async (t) => {
  const blocks = page.split(/^\$ /m).slice(1)
  const steps = JOURNEYS.flatMap((one) => one.steps).filter(({ run, serve }) => (run ?? serve) !== undefined)
  for (const [at, { expect }] of steps.entries()) if (expect !== undefined) t.match(blocks[at], expect)
})

t.test('each journey has a mistake and its message', async (t) => {
  for (const { title, steps } of JOURNEYS)
    t.ok(
      steps.some(({ mistake, expect }) => mistake && expect),
      title,
    )
})

t.test('the page shortens output, and keeps the line that proves the step', async (t) => {
  const step = { run: 'svc x', expect: /^found$/m, lines: 2 }
  const output = ['one', '', 'npm warn old', 'x'.repeat(200), 'three', 'found'].join('\n')
  const journey = { title: 'T', text: 'Text.', folder: 'f', steps: [step] }
  const facts = { date: '2026-11-26', node: '20', cpus: 2, load: 1 }
  const text = renderPage([{ journey, steps: [{ step, output, ms: 1234 }] }], facts)
  t.ok(text.includes(`\`\`\`console\n$ svc x   # 1.2 s\none\n${'x'.repeat(139)}…\n…\nfound\n\`\`\``), text)
})

t.test('foreign keys and texts of the script for PostgreSQL fit SQLite', async (t) => {
  const script = toSqlite(`CREATE TABLE a
(
    id INT NOT NULL
);
ALTER TABLE a ADD CONSTRAINT a_fkey
    FOREIGN KEY (id) REFERENCES b (id) ON DELETE NO ACTION;
INSERT INTO a VALUES (1, N'X'),
    (2, N'ROCK N'' ROLL');`)
  t.match(
    script,
    /id INT NOT NULL,\nCONSTRAINT a_fkey\s+FOREIGN KEY \(id\) REFERENCES b \(id\) ON DELETE NO ACTION\n\);/,
  )
  t.notMatch(script, 'ALTER TABLE')
  t.match(script, "VALUES (1, 'X'),\n    (2, 'ROCK N'' ROLL')")
})
