-- Run once on the primary: sudo -u postgres psql -f database.sql
create role rowpress login password 'rowpress-password';
create database rowpress owner rowpress;
