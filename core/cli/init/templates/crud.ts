import { RESPONSE_SQL } from './response.ts'
import type { Template } from './template.ts'

const SCHEMA = `import { Boolean, DateTime, field, ID, input, list, mutation, nullable, query, String, type } from 'svc/authoring'

@type({ sqlSource: 'v_task' })
export class Task {
  @field(ID) id!: string
  @field(String) title!: string
  @field(Boolean) done!: boolean
  @field(DateTime) createdAt!: string
}

@input
export class CreateTask {
  @field(String) title!: string
}

@input({ description: 'Absent fields stay as they are' })
export class UpdateTask {
  @field(nullable(String)) title!: string | null
  @field(nullable(Boolean)) done!: boolean | null
}

// REST serves the same operations: GET, POST /rest/v1/tasks and GET, PATCH, DELETE /rest/v1/tasks/{id}.
export class Api {
  @query(list(Task), { sqlSource: 'v_task' }) tasks!: unknown
  @query(nullable(Task), { sqlSource: 'v_task', args: { id: ID } }) task!: unknown

  @mutation(Task, { sqlSource: 'fn_create_task', operation: 'CREATE', args: { input: CreateTask } })
  createTask!: unknown

  @mutation(Task, { sqlSource: 'fn_update_task', operation: 'UPDATE', args: { id: ID, input: UpdateTask } })
  updateTask!: unknown

  @mutation(Task, { sqlSource: 'fn_delete_task', operation: 'DELETE', args: { id: ID } })
  deleteTask!: unknown
}
`

const VIEWS = `CREATE VIEW v_task AS SELECT id, pk_task, title, done, created_at FROM tb_task;
`

const DATA = `INSERT INTO tb_task (id, title, done) VALUES
  ('00000000-0000-4000-8000-000000000001', 'Read the README', true),
  ('00000000-0000-4000-8000-000000000002', 'Add a column', false);
`

const TABLES = `CREATE TABLE tb_task (
  pk_task bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  title text NOT NULL,
  done boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now()
);
`

const FUNCTIONS = `${RESPONSE_SQL}
CREATE FUNCTION task_response(p_status text, p_id uuid, p_updated_fields text[] DEFAULT '{}')
RETURNS mutation_response LANGUAGE sql STABLE AS $$
  SELECT p_status, 'Task ' || p_status, p_id::text, 'Task', (SELECT to_jsonb(v) FROM v_task v WHERE v.id = p_id),
         p_updated_fields, NULL::jsonb, NULL::jsonb
$$;

CREATE FUNCTION fn_create_task(p_title text) RETURNS mutation_response LANGUAGE plpgsql AS $$
DECLARE
  v_id uuid;
BEGIN
  IF trim(p_title) = '' THEN RAISE EXCEPTION 'A task needs a title' USING HINT = 'TITLE_EMPTY'; END IF;
  INSERT INTO tb_task (title) VALUES (p_title) RETURNING id INTO v_id;
  RETURN task_response('created', v_id);
END $$;

-- The input as JSON, so that an absent field differs from null.
CREATE FUNCTION fn_update_task(p_id uuid, p_input jsonb) RETURNS mutation_response LANGUAGE plpgsql AS $$
BEGIN
  UPDATE tb_task
  SET title = coalesce(p_input ->> 'title', title), done = coalesce((p_input ->> 'done')::boolean, done)
  WHERE id = p_id;
  IF NOT FOUND THEN RAISE EXCEPTION 'There is no task %', p_id USING HINT = 'NOT_FOUND'; END IF;
  RETURN task_response('updated', p_id, ARRAY(SELECT jsonb_object_keys(p_input)));
END $$;

CREATE FUNCTION fn_delete_task(p_id uuid) RETURNS mutation_response LANGUAGE plpgsql AS $$
DECLARE
  v_response mutation_response := task_response('deleted', p_id);
BEGIN
  DELETE FROM tb_task WHERE id = p_id;
  IF NOT FOUND THEN RAISE EXCEPTION 'There is no task %', p_id USING HINT = 'NOT_FOUND'; END IF;
  RETURN v_response;
END $$;
`

const SQLITE_TABLES = `CREATE TABLE tb_task (
  pk_task INTEGER PRIMARY KEY,
  id UUID NOT NULL UNIQUE DEFAULT (svc_uuid()),
  title TEXT NOT NULL,
  done BOOLEAN NOT NULL DEFAULT false,
  created_at DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);
`

const NEEDS_TASK = `SELECT svc_raise('NOT_FOUND', 'There is no task ' || :id) WHERE NOT EXISTS (SELECT 1 FROM tb_task WHERE id = :id);`

const SQLITE_SCRIPTS = {
  'db/functions/fn_create_task.sql': `-- :title text

SELECT svc_raise('TITLE_EMPTY', 'A task needs a title') WHERE trim(:title) = '';
INSERT INTO tb_task (title) VALUES (:title)
RETURNING 'created' AS status, 'Task created' AS message, id AS entity_id, 'Task' AS entity_type;
`,
  'db/functions/fn_update_task.sql': `-- :id uuid
-- :input json

${NEEDS_TASK}
UPDATE tb_task SET title = coalesce(:input ->> 'title', title), done = coalesce(:input ->> 'done', done) WHERE id = :id
RETURNING 'updated' AS status, 'Task updated' AS message, id AS entity_id, 'Task' AS entity_type,
  (SELECT json_group_array(key) FROM json_each(:input)) AS updated_fields;
`,
  'db/functions/fn_delete_task.sql': `-- :id uuid

${NEEDS_TASK}
DELETE FROM tb_task WHERE id = :id
RETURNING 'deleted' AS status, 'Task deleted' AS message, id AS entity_id, 'Task' AS entity_type,
  json_object('id', id, 'title', title, 'done', json(iif(done, 'true', 'false')), 'created_at', created_at) AS entity;
`,
}

const TEST = `import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestedProject, testProject } from 'svc/testing'

const TASKS = '/rest/v1/tasks'
let project: TestedProject
before(async () => {
  project = await testProject()
})
after(() => project.close())

test('a task is created, read, changed and deleted', async () => {
  const created = await project.inject({ method: 'POST', url: TASKS, body: { title: 'Write a test' } })
  assert.equal(created.status, 201, created.text)
  const { id } = created.json<{ data: { id: string } }>().data
  const url = \`\${TASKS}/\${id}\`

  const changed = await project.inject({ method: 'PATCH', url, body: { done: true } })
  assert.equal(changed.status, 200, changed.text)
  const read = (await project.inject({ url })).json<{ data: { title: string; done: boolean } }>().data
  assert.equal(read.title, 'Write a test')
  assert.equal(read.done, true)

  assert.ok((await project.inject({ method: 'DELETE', url })).status < 300)
  assert.equal((await project.inject({ url })).status, 404)
})

test('a task without a title is refused', async () => {
  const { errors } = await project.graphql('mutation { createTask(input: { title: " " }) { id } }')
  assert.equal(errors?.[0]?.extensions.code, 'TITLE_EMPTY')
})
`

/**
 * The template `crud` of `svc init`: one table with mutations that create, update and delete rows, mainly for REST
 * clients.
 */
export const CRUD: Template = {
  schema: SCHEMA,
  test: TEST,
  policy: 'public',
  more: '',
  files: {
    pglite: {
      'db/01_tables.sql': TABLES,
      'db/02_views.sql': VIEWS,
      'db/03_functions.sql': FUNCTIONS,
      'db/04_data.sql': DATA,
    },
    sqlite: { 'db/01_tables.sql': SQLITE_TABLES, 'db/02_views.sql': VIEWS, 'db/03_data.sql': DATA, ...SQLITE_SCRIPTS },
  },
  tryIt: `    curl localhost:8080/rest/v1/tasks
    curl localhost:8080/rest/v1/tasks -H 'content-type: application/json' -d '{"title":"Hello"}'

The page of the routes is at http://localhost:8080/openapi
`,
}
