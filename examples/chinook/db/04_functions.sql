-- What the API writes. A function answers with a mutation_response, or raises: then nothing is written, and a HINT in
-- capitals is the error's code.

CREATE TYPE mutation_response AS (
  status text, message text, entity_id text, entity_type text, entity jsonb, updated_fields text[], cascade jsonb,
  metadata jsonb
);

CREATE SEQUENCE playlist_playlist_id_seq OWNED BY playlist.playlist_id;
SELECT setval('playlist_playlist_id_seq', (SELECT max(playlist_id) FROM playlist));
ALTER TABLE playlist ALTER COLUMN playlist_id SET DEFAULT nextval('playlist_playlist_id_seq');

CREATE FUNCTION playlist_response(p_status text, p_message text, p_playlist_id int, p_updated_fields text[] DEFAULT '{}')
RETURNS mutation_response LANGUAGE sql STABLE AS $$
  SELECT p_status, p_message, p_playlist_id::text, 'Playlist',
         (SELECT to_jsonb(v) FROM v_playlist v WHERE v.pk_playlist = p_playlist_id), p_updated_fields, NULL::jsonb, NULL::jsonb
$$;

CREATE FUNCTION check_playlist_name(p_name text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF btrim(p_name) = '' THEN
    RAISE EXCEPTION 'A playlist needs a name' USING HINT = 'PLAYLIST_NAME_EMPTY';
  END IF;
  RETURN btrim(p_name);
END $$;

CREATE FUNCTION check_playlist(p_playlist_id int) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM playlist WHERE playlist_id = p_playlist_id) THEN
    RAISE EXCEPTION 'There is no playlist %', p_playlist_id USING HINT = 'NOT_FOUND';
  END IF;
END $$;

-- The fields of an input reach parameters of the same name, with or without `p_`.
CREATE FUNCTION fn_create_playlist(p_name text, p_track_ids int[] DEFAULT '{}')
RETURNS mutation_response LANGUAGE plpgsql AS $$
DECLARE
  v_name text := check_playlist_name(p_name);
  v_id int;
BEGIN
  IF EXISTS (SELECT FROM playlist WHERE name = v_name) THEN
    RETURN playlist_response('conflict:duplicate_name', format('There is a playlist "%s" already', v_name), NULL);
  END IF;
  INSERT INTO playlist (name) VALUES (v_name) RETURNING playlist_id INTO v_id;
  INSERT INTO playlist_track (playlist_id, track_id) SELECT DISTINCT v_id, unnest(coalesce(p_track_ids, '{}'));
  RETURN playlist_response('created', 'Playlist created', v_id);
END $$;

CREATE FUNCTION fn_rename_playlist(p_id int, p_name text) RETURNS mutation_response LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_playlist(p_id);
  UPDATE playlist SET name = check_playlist_name(p_name) WHERE playlist_id = p_id;
  RETURN playlist_response('updated', 'Playlist renamed', p_id, ARRAY['name']);
END $$;

CREATE FUNCTION fn_add_track_to_playlist(p_playlist_id int, p_track_id int) RETURNS mutation_response LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_playlist(p_playlist_id);
  IF NOT EXISTS (SELECT FROM track WHERE track_id = p_track_id) THEN
    RAISE EXCEPTION 'There is no track %', p_track_id USING HINT = 'NOT_FOUND';
  END IF;
  INSERT INTO playlist_track (playlist_id, track_id) VALUES (p_playlist_id, p_track_id) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN playlist_response('noop:already_there', 'The track is in the playlist already', p_playlist_id);
  END IF;
  RETURN playlist_response('updated', 'Track added', p_playlist_id, ARRAY['tracks', 'track_count']);
END $$;

CREATE FUNCTION fn_remove_track_from_playlist(p_playlist_id int, p_track_id int)
RETURNS mutation_response LANGUAGE plpgsql AS $$
BEGIN
  PERFORM check_playlist(p_playlist_id);
  DELETE FROM playlist_track WHERE playlist_id = p_playlist_id AND track_id = p_track_id;
  RETURN playlist_response('updated', 'Track removed', p_playlist_id, ARRAY['tracks', 'track_count']);
END $$;

-- The answer describes the playlist as it was.
CREATE FUNCTION fn_delete_playlist(p_id int) RETURNS mutation_response LANGUAGE plpgsql AS $$
DECLARE
  v_response mutation_response;
BEGIN
  PERFORM check_playlist(p_id);
  v_response := playlist_response('deleted', 'Playlist deleted', p_id);
  DELETE FROM playlist_track WHERE playlist_id = p_id;
  DELETE FROM playlist WHERE playlist_id = p_id;
  RETURN v_response;
END $$;
