-- What the PostgreSQL engine needs in addition to the tables of the migrations.

-- The number of applied migrations.
CREATE TABLE schema_version (version BIGINT NOT NULL);
INSERT INTO schema_version (version) VALUES (0);

-- The last commit of each connection that writes. Its outcome can be looked up here when the
-- connection was lost during the commit.
CREATE TABLE commits (
    writer TEXT COLLATE "C" PRIMARY KEY,
    number BIGINT NOT NULL,
    committed_on TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 50);

-- The text in lower case, as the function of this name in SQLite returns it. Letters that are newer
-- than the server's version of Unicode stay as they are.
CREATE FUNCTION folded(x TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT lower(x COLLATE "und-x-icu") COLLATE "C" $$;

-- Values of other types yield NULL, as in SQLite.
CREATE FUNCTION folded(x BIGINT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT CAST(NULL AS TEXT) $$;
CREATE FUNCTION folded(x DOUBLE PRECISION) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT CAST(NULL AS TEXT) $$;

-- The first day of the week of a date; NULL for other text.
CREATE FUNCTION monday(x TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT CASE WHEN x ~ '^\d{4}-\d\d-\d\d$' THEN to_char(date_trunc('week', x::date::timestamp), 'YYYY-MM-DD') END $$;

-- The date of an instant in microseconds in a time zone; NULL for an unknown zone.
CREATE FUNCTION local_date(instant BIGINT, zone TEXT) RETURNS TEXT LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
AS $$
BEGIN
    RETURN to_char((timestamptz 'epoch' + instant * interval '1 microsecond') AT TIME ZONE zone, 'YYYY-MM-DD');
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN NULL;
END
$$;

-- The integer that a text begins with, 0 if there is none, as CAST returns it in SQLite.
CREATE FUNCTION as_integer(x TEXT) RETURNS BIGINT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT CASE WHEN x ~ '^[0-9]{1,18}$' THEN x::bigint
        ELSE COALESCE(LEAST(GREATEST(substring(x from '^\s*([+-]?[0-9]+)')::numeric,
            -9223372036854775808), 9223372036854775807), 0)::bigint END
$$;

-- The number that a text begins with, 0 if there is none. Excess digits are cut off, because a
-- number out of range would be an error.
CREATE FUNCTION as_number(x TEXT) RETURNS DOUBLE PRECISION LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT COALESCE(substring(x from
        '^\s*([+-]?(?:[0-9]{1,100}(?:\.[0-9]{0,100})?|\.[0-9]{1,100})(?:[eE][+-]?[0-9]{1,2})?)')::double precision, 0)
$$;

-- Makes the next generated id of a table greater than this one.
CREATE FUNCTION continue_ids_after(tablename TEXT, id BIGINT) RETURNS VOID LANGUAGE plpgsql
AS $$
DECLARE
    sequence REGCLASS := pg_get_serial_sequence(tablename, 'id');
BEGIN
    IF sequence IS NOT NULL AND id > COALESCE(pg_sequence_last_value(sequence), 0) THEN
        PERFORM setval(sequence, id);
    END IF;
END
$$;
